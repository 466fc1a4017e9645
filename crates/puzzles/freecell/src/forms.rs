//! The forms in which people write boards.

use unriddle_catalog::family::Form;

pub(crate) const FORMS: &[Form] = &[
    Form::new(
        "columns",
        "A line for each column, the deepest card first, `:` for an empty column; a `:` may begin every line. \
         A card is a rank (`A`, `2` to `9`, `T` or `10` or `0` for ten, `J`, `Q`, `K`) and a suit (`C D S H` or `♣ ♦ ♠ ♥`) \
         in either order, in upper or lower case. Lines that begin with `#` are comments.",
        "JD KD 2S 4C 3S 6D 6S\n2D KC KS 5C 0D 8S 9C\n9H 9S 9D 0S 4S 8D 2H\nJC 5S QD QH 0H QS 6H\n\
         5D AD JS 4H 8H 6C\n7H QC AS AC 2C 3D\n7C KH AH 4D JH 8C\n5H 3H 3C 7S 7D 0C\n",
    ),
    Form::new(
        "rows",
        "The rows of a deal, the first row first: a card for each column in every line but the last. As many lines as columns \
         are columns, and so are lines that begin with `:`.",
        "J♦ 2♦ 9♥ J♣ 5♦ 7♥ 7♣ 5♥\nK♦ K♣ 9♠ 5♠ A♦ Q♣ K♥ 3♥\n2♠ K♠ 9♦ Q♦ J♠ A♠ A♥ 3♣\n4♣ 5♣ 10♠ Q♥ 4♥ A♣ 4♦ 7♠\n\
         3♠ 10♦ 4♠ 10♥ 8♥ 2♣ J♥ 7♦\n6♦ 8♠ 8♦ Q♠ 6♣ 3♦ 8♣ 10♣\n6♠ 9♣ 2♥ 6♥\n",
    ),
    Form::new(
        "position",
        "Columns with the other cards as PySol and fc-solve write them: `Foundations: H-0 C-2 D-A S-K` (or `Founds:`) and \
         `Freecells: 7H - TC` (or `FC:`), each at most once. Every card of the deck is in a column, in a cell or on its foundation.",
        "Foundations: H-K C-J D-K S-Q\nFreecells: KC - - -\n: QC\n: KS\n",
    ),
    Form::new(
        "deal",
        "The number of a Microsoft deal, 1 to 8589934591, perhaps with `#` or `deal` before it.",
        "617\n",
    ),
    Form::new(
        "file",
        "In a file, boards are apart by blank lines, and a comment right above a board is its name; each number of a deal is a line, \
         perhaps with `name:` before it.",
        "# the first\n: QC\n: KS\nFoundations: H-K C-J D-K S-Q\nFreecells: KC\n",
    ),
];
