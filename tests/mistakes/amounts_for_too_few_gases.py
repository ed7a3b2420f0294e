from tellegen.library import media

air = media.IdealGas("air", gases=("N2", "O2", "Ar"), moles=(0.78, 0.21))
