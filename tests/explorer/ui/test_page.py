"""The page's logic without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.gallery import all_examples, example

APP = str(Path(__file__).parents[3] / "app.py")


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(APP, default_timeout=60).run()


def tables(app: AppTest) -> list[dict[str, list[object]]]:
    return [frame.value.to_dict("list") for frame in app.dataframe]


def test_starts_with_the_total_derivative(app: AppTest) -> None:
    assert not app.exception
    paths = tables(app)[0]
    assert paths["product"] == ["6", "2", "1"]
    assert paths["path"] == ["y → c → b → a", "y → b → a", "y → a"]
    assert paths["share"] == ["67%", "22%", "11%"]


def test_partial_derivatives_have_cuts(app: AppTest) -> None:
    app.selectbox[1].select_index(1).run()
    assert not app.exception
    cuts = next(table for table in tables(app) if "cut edge" in table)
    assert cuts["cut edge"] == ["✂ a → b", "✂ b → c"]
    assert cuts["holds back here"] == ["2", "3"]


def test_stopped_path_is_listed_but_does_not_count(app: AppTest) -> None:
    app.selectbox(key="example").select("three_paths_one_stop").run()
    paths = tables(app)[0]
    assert paths["product"] == ["12", "12", "1", "(10)"]
    assert paths["share"] == ["48%", "48%", "4%", ""]
    assert str(paths["stopped by"][-1]).startswith("✂ h → ")


def test_an_example_opens_with_its_own_question(app: AppTest) -> None:
    app.selectbox(key="example").select("double_where").run()
    assert not app.exception
    assert app.selectbox[1].value == example("double_where").question == 1


def test_the_list_shows_the_group_of_an_example(app: AppTest) -> None:
    labels = list(app.selectbox(key="example").proto.options)
    assert labels[0] == "0. Three paths and one stop"
    assert "Question: None against zero" in labels
    assert "Model: Attention with a mask" in labels
    assert labels[-1] == "Your own program"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = (1", "Line 1"),
        ("import os", "Line 1"),
        (
            "import tensorflow as tf\nx = tf.constant([1., 2.]) + tf.constant([1., 2., 3.])",
            "Line 2",
        ),
    ],
)
def test_errors_name_the_line_and_keep_everything(app: AppTest, text: str, sentence: str) -> None:
    before = tables(app)
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    assert app.error[0].value.startswith(sentence)
    assert app.text_area(key="text").value == text
    assert tables(app) == before


def test_program_without_gradient_says_what_to_add(app: AppTest) -> None:
    app.text_area(key="text").set_value("import tensorflow as tf\nx = tf.constant(2.0)").run()
    assert not app.exception
    assert "tf.gradients(y, [x])" in app.info[0].value


def test_every_example_runs(app: AppTest) -> None:
    names = list(app.selectbox(key="example").proto.options)
    assert len(names) == len(all_examples()) + 1
    for index in range(len(names) - 1):
        app.selectbox(key="example").select_index(index).run()
        assert not app.exception, names[index]
        assert not app.error, names[index]
        assert tables(app)


def test_no_x_is_an_error_in_words(app: AppTest) -> None:
    xs = next(box for box in app.multiselect if box.label == "x")
    xs.set_value([]).run()
    assert not app.exception
    assert app.error[0].value == "no x is chosen; choose at least one"


def opened(**parameters: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def address(app: AppTest) -> dict[str, str]:
    return {name: "".join(value) for name, value in app.query_params.items()}


def test_address_holds_example_question_and_x() -> None:
    app = opened(example="total_and_partial", question="2", x="2")
    assert not app.exception
    assert app.selectbox[1].value == example("double_where").question == 1
    # b alone counts for ∂y/∂b with a, b, c held constant; the path over c is stopped at c.
    assert tables(app)[0]["product"] == ["1", "(3)"]
    assert address(app) == {"example": "total_and_partial", "question": "2", "x": "2"}


def test_a_typed_program_survives_a_reload(app: AppTest) -> None:
    text = "import tensorflow as tf\nx = tf.constant(2.0)\ntf.gradients(x * x * x, x)\n"
    app.text_area(key="text").set_value(text).run()
    again = opened(program=address(app)["program"])
    assert again.text_area(key="text").value == text
    assert again.selectbox(key="example").value == "own program"
    assert tables(again)[0]["product"] == ["4", "4", "4"]


def test_a_mangled_link_opens_the_first_example() -> None:
    app = opened(program="%%%", view="nonsense", question="-3")
    assert not app.exception
    assert tables(app)[0]["product"] == ["6", "2", "1"]
