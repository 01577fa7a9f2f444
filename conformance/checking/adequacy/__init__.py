"""Adequacy: would the suite notice? A bank of faulty engines, each the reference with one realistic
fault, is held against the suite; a fault that no case notices is a hole in the specification."""
