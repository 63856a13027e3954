import type { Contradiction } from "../documents.js";

/** What in the paper does not go together, in our words. Digits that are named here can't be met, by anybody. */
export const contradictions: readonly Contradiction[] = [
  {
    id: "C1",
    where: "Tables 1 and 2, NQ, hybrid, Apertus",
    text:
      "The row's retrieval success and conditional probabilities leave one value for P(T=1), 0.254, but Table 1 prints " +
      "0.267, the number of the Gemma3 row below it. No counts can meet both; ours follow the other digits.",
  },
  {
    id: "C2",
    where: "Table 4b",
    text:
      "P(T=1) is given as 0.21 for all three generators, which is the retrieval success of the hybrid retriever. Table 1 " +
      "has 0.30 to 0.33, and each row's own rates of the judge imply 0.31 or 0.32.",
  },
  {
    id: "C3",
    where: "Tables 3b and 11, appendix F, Qwen3.5",
    text:
      "The bits of Qwen3.5 can't be had from Table 2, whichever way its digits were rounded. Two entropies are off: that of " +
      "0.981 is 0.136, not 0.134, and that of 0.216 is 0.753, not 0.760; the differences go on into all five gains.",
  },
  {
    id: "C4",
    where: "Tables 3b and 11, appendix F, Apertus",
    text:
      "The gains of all-R and half-joint-R are 0.002 above what is printed, again beyond what rounding explains; the entropy " +
      "of 0.969 is 0.199, where 0.196 was used.",
  },
  {
    id: "C5",
    where: "Sections 1 and 5.3, appendix F",
    text:
      "That labels of retrieval always tell more about adherence is true of most systems, not of all: on NQ with dense or " +
      "hybrid retrieval, labels of the task tell more about Apertus and Gemma3, by the paper's own measure and by simulation.",
  },
  {
    id: "C6",
    where: "Section 5.3 and appendix F, Qwen3.5",
    text:
      "All-R and half-joint-R are said to do slightly better than all-joint at large budgets. In the design as described they " +
      "do worse, by many standard errors, although the printed width of all-R is reproduced.",
  },
  {
    id: "C7",
    where: "Section 5.3, caption of Table 11",
    text:
      "For Qwen3.5 the gains put all-R before half-joint-T, and are said to predict the order of the errors; simulated, " +
      "half-joint-T is clearly the better of the two.",
  },
  {
    id: "C8",
    where: "Section 5.3",
    text:
      "With all-R the interval of P(T=1) is said to keep its width whatever the budget. So it does for Apertus; for Qwen3.5 " +
      "it narrows by a seventh, since abstention, which is always seen, tells more there.",
  },
  {
    id: "C9",
    where: "Section 5.4 and section 3",
    text:
      "The text of the judge's experiment reads as if its rates were known and held. The printed widths are those of rates " +
      "that are learnt from the 200 labelled records, as section 3 describes; held rates would give far narrower intervals.",
  },
  {
    id: "C10",
    where: "Table 5",
    text:
      "The printed widths of P(G=1) with a judge are slightly larger, and its errors more equal, than ours. Our judge's labels " +
      "are independent given R and T, since only their rates are published; the paper says that the real ones are not.",
  },
  {
    id: "C11",
    where: "Section 5.1, section 4 and Table 8",
    text:
      "A FEVER claim is said to have exactly one relevant document, but elsewhere only most have, and Table 8 counts up to 453 " +
      "claims of which some documents but not all were found.",
  },
  {
    id: "C12",
    where: "Section 3, appendices A.3 and B",
    text:
      "Abstentions are found by exact match, but the string differs from place to place; for FEVER it is matched with " +
      "underscores and asked for with blanks.",
  },
  {
    id: "C13",
    where: "Sections 4 and 5.1",
    text: "FEVER is introduced with three labels and later described as a choice of two.",
  },
  {
    id: "C14",
    where: "Appendix F",
    text: "Among Qwen3.5's answers G is called balanced; by the paper's own number 22 % of them are adherent.",
  },
  {
    id: "C15",
    where: "Tables 2 and 9",
    text:
      "These differ by 0.001 in places and are both right: Table 2 has posterior means (k + 1) / (n + 2), Table 9 plain " +
      "fractions k / n. The same counts meet both, which confirms the uniform priors.",
  },
  {
    id: "C16",
    where: "Section 5.3",
    text:
      "If a budget counted labels rather than records, so that a joint record cost two, what is said about P(G=1) would fit " +
      "better, but not what is said about P(T=1). The text describes budgets of records, and so they are here.",
  },
];
