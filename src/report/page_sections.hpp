#pragma once

#include "report/html.hpp"
#include "report/picture.hpp"

/// The sections of a page. Each says in one line what a run does not have.
namespace hiple::report {

Html overview_html(Ids& ids, const Picture& picture);
Html answers_html(Ids& ids, const Picture& picture);
Html gates_html(Ids& ids, const Picture& picture);
Html boundaries_html(Ids& ids, const Picture& picture);
Html engines_html(Ids& ids, const Picture& picture);
Html time_html(Ids& ids, const Picture& picture);
Html mpi_html(Ids& ids, const Picture& picture);
Html law_html(Ids& ids, const Picture& picture);
Html revisions_html(Ids& ids, const Picture& picture);
Html cases_html(Ids& ids, const Picture& picture);
Html provenance_html(Ids& ids, const Picture& picture);

/// The derivation of one case, from law::Derivation::json(), with its graph.
Html case_html(Ids& ids, const ShownCase& shown);

/// A graph as `dot` writes it, made fit to stand in a page: without its prologue and its ids, with a title and a description.
/// Empty where it is no such graph.
Html graph_html(Ids& ids, const std::string& svg, const std::string& title, const std::string& description);

/// A verdict or a state: a mark and the word, so that no colour is needed to read it.
Html badge_html(std::string_view word);

/// What a reason means, in a few words.
std::string meaning_of(law::Reason reason);

}  // namespace hiple::report
