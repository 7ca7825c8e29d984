"""What LocalStack lacks where there is no Docker (README.md in the folder above)."""
