"""The report of the tour: one HTML file that can be sent to a colleague."""

from html import escape
from typing import Any

from simplexcoding.demo import pictures
from simplexcoding.demo.paper import PAPER
from simplexcoding.demo.story import Story, choice, tried
from simplexcoding.experiments.html_page import entry_html, figure_html, section, table_html
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.table import Table, notes

_STYLE = """
:root { --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --blue: #0a5c99; --pale: #f3f7fb; }
* { box-sizing: border-box; }
body { font: 17px/1.55 system-ui, sans-serif; color: var(--ink); background: #fff; margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 1.2rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .6rem 0 .4rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.6rem 0 .4rem; }
p { margin: .5rem 0; } .soft, figcaption, small { color: var(--soft); font-size: .88rem; }
.cards { display: grid; grid-template-columns: repeat(4, 1fr); gap: .7rem;
  margin: 1.2rem 0; }
.card { background: var(--pale); border-radius: .6rem; padding: .7rem .9rem; }
.card b { display: block; font-size: 1.45rem; line-height: 1.25; color: var(--blue); }
.card span { font-size: .85rem; color: var(--soft); }
pre { background: var(--pale); border-radius: .5rem; padding: .7rem .9rem; font-size: .82rem;
  line-height: 1.45; overflow-x: auto; }
figure { margin: .8rem 0; }
figure img { width: 100%; max-width: 38rem; height: auto; display: block; }
.digits { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.6rem, 1fr)); gap: .7rem;
  margin: .9rem 0; padding: 0; list-style: none; }
.digits li { border: 1px solid var(--line); border-radius: .6rem; padding: .6rem;
  font-size: .86rem; line-height: 1.35; }
.digits img { width: 100%; image-rendering: pixelated; display: block; margin-bottom: .4rem; }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
td small { display: block; } .below { color: #a63a00; font-weight: 600; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; }
@media (max-width: 34rem) { body { font-size: 16px; } main { padding: .9rem; }
  h1 { font-size: 1.4rem; } .cards { grid-template-columns: repeat(2, 1fr); }
  table { font-size: .8rem; } th, td { padding-right: .35rem; }
  td:first-child, td small { white-space: normal; }
  .digits { grid-template-columns: repeat(3, 1fr); gap: .5rem; }
  .digits li { padding: .45rem; font-size: .8rem; } }
@media print { main { max-width: none; } figure, tr, li, .card { break-inside: avoid; } }
"""
_TITLE = "Simplex coding, shown on handwritten digits"


def report(story: Story, table: Table, made_with: str) -> str:
    """HTML of the whole tour, well formed as XML, with no address outside itself.

    Parameters
    ----------
    story : Story
    table : Table
        The paper's, by the methods that were run.
    made_with : str
        Versions and seconds, for the last line.

    Returns
    -------
    str
    """
    parts = [
        _opening(story),
        _fit(story),
        _honest(story),
        _probabilities(story),
        _sets(story),
        _labels(story),
        _forget(story),
        _paper(table),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{_TITLE}</title><style>{_STYLE}</style></head><body><main>"
        f"{''.join(parts)}<footer><small>{escape(made_with)}</small></footer>"
        "</main></body></html>\n"
    )


def _opening(story: Story) -> str:
    n, T = len(story.split.y_train), story.split.n_classes
    cards = [
        (f"{100 * story.left_out:.1f} %", "right when left out"),
        (f"{100 * story.test:.1f} %", "right on new rows"),
        (
            f"{100 * story.sets[1].found:.1f} %",
            f"of sets hold the label; {_share(story.sets[1].asked)} asked",
        ),
        (f"{story.n_contradicted}", "labels look wrong"),
    ]
    shown = "".join(
        f'<div class="card"><b>{value}</b><span>{words}</span></div>' for value, words in cards
    )
    return (
        f"<h1>{_TITLE}</h1>"
        f"<p>{n:,} images of 8 x 8 pixels, {T} classes, one call of <code>fit</code>. The model "
        "chose its own parameters by predicting every training row with a model that had not seen "
        "it. Probabilities, sets and suspicious labels come from those same predictions: no "
        "validation set, no grid search.</p>"
        f'<div class="cards">{shown}</div>'
    )


def _fit(story: Story) -> str:
    words = ", ".join(f"{name} {escape(value)}" for name, value in choice(story.model).items())
    path, candidates = story.model.path_, tried(story.model)
    exact = int(path.exact.sum())
    judged = "each" if exact == path.exact.size else f"{exact} of them and interpolation between"
    heading = ["kernel", "scaling", "gamma", "log-loss", "right", "rows"]
    shown = (
        f"<p>{len(story.model.candidates_)} kernels, widths and scalings were judged by the "
        f"log-loss of left-out rows; the best:</p>{table_html(heading, candidates)}"
        if candidates
        else ""
    )
    return section(
        "1. Fit, and what was chosen",
        f"<p><b>{words}</b>, in {story.seconds:.1f} seconds.</p>",
        "<pre>model = SimplexRidgeClassifier()\nmodel.fit(X_train, y_train)</pre>",
        shown,
        f"<p>Then {path.alphas.size:,} values of alpha, by the exact leave-one-out error of "
        f"{judged}:</p>",
        figure_html(
            pictures.path(story),
            "Error of left-out rows along the regularisation: to the left the model smooths too "
            "little, to the right too much; the mark is the choice.",
        ),
    )


def _honest(story: Story) -> str:
    n = len(story.split.y_test)
    body = [
        [
            "rows left out, one at a time",
            f"{len(story.split.y_train):,}",
            f"{100 * story.left_out:.2f} %",
        ],
        ["test rows, never seen", f"{n:,}", f"{100 * story.test:.2f} %"],
    ]
    error = 100 * (story.test * (1 - story.test) / n) ** 0.5
    return section(
        "2. The left-out score is an honest one",
        f"<p>It forecasts what new rows then show; with {n} test rows, chance alone moves their "
        f"figure by about {error:.1f} points.</p>",
        table_html(["judged on", "rows", "right"], body),
    )


def _probabilities(story: Story) -> str:
    return section(
        "3. Probabilities that mean what they say",
        f"<p>Of rows given 80 %, about 80 % should be right. Log-loss on test rows: "
        f"<b>{story.log_loss:.3f}</b>.</p>",
        "<pre>model.predict_proba(X_test)</pre>",
        figure_html(
            pictures.reliability(story),
            "Test rows by the probability of their predicted class, and the share that was right; "
            "most rows stand at the right end.",
        ),
    )


def _sets(story: Story) -> str:
    body = [
        [_share(each.asked), f"{100 * each.found:.1f} %", f"{each.size:.2f}"] for each in story.sets
    ]
    split, inside = story.split, story.sets[1].inside
    items = [
        _digit(
            split.X_test[row],
            f"set {{{', '.join(map(str, inside[row].nonzero()[0]))}}}",
            f"truth {split.y_test[row]}",
        )
        for row in story.examples
    ]
    pictures_ = (
        f"<p>Test rows with the largest sets at {_share(story.sets[1].asked)}:</p>{_list(items)}"
        if items
        else ""
    )
    return section(
        "4. Sets, where one label is not enough",
        "<p>Ask for a coverage and get as many labels as it takes.</p>",
        "<pre>model.predict_set(X_test, coverage=0.995)</pre>",
        table_html(["asked", "found on test rows", "labels per set"], body),
        pictures_,
    )


def _labels(story: Story) -> str:
    split = story.split
    items = [
        _digit(
            split.X_train[each.row],
            f"labelled <b>{each.given}</b>",
            f"model without it: <b>{each.suggested}</b> ({100 * each.probability:.0f} %)",
        )
        for each in story.suspects
    ]
    return section(
        "5. Labels that look wrong",
        f"<p>{story.n_contradicted} of {len(split.y_train):,} training labels are contradicted by "
        f"the model that was fitted without their row. The {len(items)} most suspicious:</p>",
        _list(items),
        "<pre>audit_labels(model, y_train)</pre>",
    )


def _forget(story: Story) -> str:
    forgotten = story.forgotten
    return section(
        "6. A row is forgotten",
        f"<p>Row {forgotten.row}, the most suspicious, leaves a linear model; no fit is made anew. "
        f"A model fitted on the other {forgotten.left:,} rows gives the same scores: the largest "
        f"difference on the test rows is <b>{forgotten.difference:.0e}</b>.</p>",
        f"<pre>linear.forget([{forgotten.row}])</pre>",
    )


def _paper(table: Table) -> str:
    ours = all(name in PAPER for name in table.datasets)
    body = [
        [
            escape(METHODS[key].title),
            *(entry_html(table.entry(key, name), "not run") for name in table.datasets),
        ]
        for key in table.methods
    ]
    heading = ["method", *(escape(text) for text in table.lines()[0][2:])]
    if ours:
        words = (
            "Test accuracy in per cent on the official splits, features standardised; in brackets "
            "the figure of Mroueh, Poggio, Rosasco and Slotine (NIPS 2012), and ours less theirs. "
            "The paper does not say how features were scaled. The online methods go by its plain "
            "rule, here with fewer values of lambda. "
            "All methods, raw features and more sets: <code>simplexcoding reproduce</code>."
        )
    else:
        words = (
            "The paper's data sets are not at hand (<code>pip install simplexcoding[data]</code> "
            "brings four of them), so that its figures cannot stand here: test accuracy in per "
            "cent on the sets that scikit-learn carries, features standardised."
        )
    heading_text = "7. The paper's table" if ours else "7. The paper's methods on bundled data"
    remarks = "".join(f"<p><small>{escape(note)}</small></p>" for note in notes(table.datasets))
    return section(heading_text, f"<p>{words}</p>", table_html(heading, body), remarks)


def _share(value: float) -> str:
    return f"{100 * value:g} %"


def _digit(row: Any, *lines: str) -> str:
    words = "<br/>".join(lines)
    return f'<li><img src="{pictures.digit(row)}" alt="a handwritten digit"/>{words}</li>'


def _list(items: list[str]) -> str:
    return f'<ul class="digits">{"".join(items)}</ul>'
