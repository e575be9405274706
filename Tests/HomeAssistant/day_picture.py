"""A picture of a page: `day_picture.py FILE URL`, with the Python of Tests/Browser/environment."""

import shutil
import sys

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox"]
    )
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    page.goto(sys.argv[2])
    page.wait_for_selector("#panel [data-placed] .unit")
    page.wait_for_timeout(1000)
    page.screenshot(path=sys.argv[1])
    browser.close()
