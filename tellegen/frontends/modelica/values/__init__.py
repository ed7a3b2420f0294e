"""What expressions evaluate to: numbers, symbols, records, arrays of them, and their arithmetic."""
