"""Operations and functions of signals at one instant."""
