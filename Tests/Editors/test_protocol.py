"""A client of the protocol drives `detent lsp`: pytest-lsp, with the types of lsprotocol."""

from __future__ import annotations

import os
from pathlib import Path

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

root = Path(__file__).resolve().parent.parent.parent
PANEL = """\
panel: Hall
board: raspberry-pi-5
controls:
  main:
    kind: switch
    label: "Main \N{ELECTRIC LIGHT BULB}"
    input: GPIO5
  fan:
    kind: dial
    label: Fan
    encoder: {a: GPIO23, b: GPIO24}
    range: {min: 0, max: 10}
    enabled-when: main is on
"""
SCENARIO = "panel: panel.yaml\nsteps:\n  - flip: {main: on}\n"


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["DETENT_PROGRAM"], "lsp", "--stdio"])
)
async def client(lsp_client: LanguageClient, tmp_path: Path):
    (tmp_path / "panel.yaml").write_text(PANEL)
    (tmp_path / "day.scenario.yaml").write_text(SCENARIO)
    answer = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="panels")],
        )
    )
    assert answer.server_info and answer.server_info.name == "detent"
    lsp_client.folder = tmp_path
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, text: str, name: str = "panel.yaml") -> str:
    uri = (client.folder / name).as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=text)
        )
    )
    await client.wait_for_notification("textDocument/publishDiagnostics")
    return uri


def place(text: str, words: str, behind: bool = False) -> types.Position:
    """Where words are in a text; Python's indices are no units of UTF-16."""
    offset = text.index(words) + (len(words) if behind else 0)
    line = text[:offset].count("\n")
    column = text[text.rfind("\n", 0, offset) + 1 : offset]
    return types.Position(line=line, character=len(column.encode("utf-16-le")) // 2)


def edited(text: str, edits: list[types.TextEdit]) -> str:
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        units = lines[position.line].encode("utf-16-le")[: position.character * 2]
        before = sum(len(line) + 1 for line in lines[: position.line])
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def test_problems_and_their_fixes(client: LanguageClient) -> None:
    text = PANEL.replace('BULB}"', "x").replace("kind: switch", "kind: swich")
    uri = await opened(client, text)
    problem = client.diagnostics[uri][0]
    assert problem.code == "unknown-word" and problem.source == "detent"
    assert problem.range.start == place(text, "swich")
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=uri), range=problem.range,
            context=types.CodeActionContext(diagnostics=[problem]),
        )
    )
    assert [action.title for action in actions] == ["Write `switch`"]
    fixed = edited(text, actions[0].edit.changes[uri])
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[types.TextDocumentContentChangeWholeDocument(text=fixed)],
        )
    )
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert not client.diagnostics[uri]


async def test_completion_behind_a_character_of_two_units(client: LanguageClient) -> None:
    text = PANEL.replace(
        "  fan:", '  x: {label: "\N{ELECTRIC LIGHT BULB}", kind: button, input: GPIO2}\n  fan:')
    uri = await opened(client, text)
    items = await client.text_document_completion_async(
        types.CompletionParams(
            text_document=types.TextDocumentIdentifier(uri=uri),
            position=place(text, "input: GPIO2}", behind=True).__class__(
                line=place(text, "GPIO2}").line,
                character=place(text, "GPIO2}", behind=True).character - 1),
        )
    )
    labels = [item.label for item in items]
    assert "GPIO20" in labels and "GPIO5" not in labels
    chosen = next(item for item in items if item.label == "GPIO20")
    assert "input: GPIO20}" in edited(text, [chosen.text_edit])


async def test_hover_definition_references_and_rename(client: LanguageClient) -> None:
    uri = await opened(client, PANEL)
    here = types.TextDocumentIdentifier(uri=uri)
    position = place(PANEL, "main is on")
    hover = await client.text_document_hover_async(
        types.HoverParams(text_document=here, position=position))
    assert "**Main" in hover.contents.value
    found = await client.text_document_definition_async(
        types.DefinitionParams(text_document=here, position=position))
    assert found.range.start == place(PANEL, "main:")
    uses = await client.text_document_references_async(
        types.ReferenceParams(
            text_document=here, position=position,
            context=types.ReferenceContext(include_declaration=True)))
    assert len(uses) == 3
    # The scenario is on the disk only.
    edit = await client.text_document_rename_async(
        types.RenameParams(text_document=here, position=position, new_name="master"))
    scenario = (client.folder / "day.scenario.yaml").as_uri()
    assert edited(PANEL, edit.changes[uri]) == PANEL.replace("main", "master")
    assert edited(SCENARIO, edit.changes[scenario]) == SCENARIO.replace("main", "master")


async def test_symbols_and_folds(client: LanguageClient) -> None:
    uri = await opened(client, PANEL)
    here = types.TextDocumentIdentifier(uri=uri)
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=here))
    assert [symbol.name for symbol in symbols[-1].children] == ["main", "fan"]
    folds = await client.text_document_folding_range_async(
        types.FoldingRangeParams(text_document=here))
    assert [(fold.start_line, fold.end_line) for fold in folds] == [(2, 12), (3, 6), (7, 12)]
