from tellegen.library import media

steam = media.GasMixture(("H20", "N2"))
