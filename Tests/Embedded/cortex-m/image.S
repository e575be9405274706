/* The compiled panel and its script, in flash. Bytes alone: the core reads them once, at start. */
    .section .panel, "a"
    .global panel_start, panel_end
panel_start:
    .incbin PANEL
panel_end:

    .section .script, "a"
    .global script_start, script_end
script_start:
    .incbin SCRIPT
script_end:
