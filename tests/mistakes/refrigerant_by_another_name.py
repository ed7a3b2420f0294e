from tellegen.library import media

fluid = media.RealFluid("R1344a")
