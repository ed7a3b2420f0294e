"""The page, style and scripts of the viewer, put together by tellegen/animation/html.py."""
