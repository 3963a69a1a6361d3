"""The page. The only package besides app.py that imports Streamlit, and thin for that reason."""
