"""Entry of `streamlit run app.py`."""

from explorer.ui.page import main

main()
