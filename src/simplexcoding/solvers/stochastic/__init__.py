"""Online learning, row by row: a pass over dense or sparse rows, and the streams it keeps."""
