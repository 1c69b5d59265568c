import { expect, it } from "vitest";
import { directQuestion } from "./direct-question.ts";

it.each([
  ["how many chairs we need", "How many chairs do we need?"],
  ["where we should have lunch", "Where should we have lunch?"],
  ["which day suits me", "Which day suits you?"],
  ["what to bring", "What would you like to bring?"],
  ["how many chairs to order", "How many chairs would you like to order?"],
  ["what color I want", "What color do you want?"],
  ["when I am free", "When are you free?"],
  ["whether we should meet", "Should we meet?"],
  ["if I want coffee", "Do you want coffee?"],
  ["how much it costs", "How much does it cost?"],
  ["what he has", "What does he have?"],
  ["what you should do", "What should I do?"],
  ["who is coming", "Who is coming?"],
  ["where I left my keys", "Please tell me where you left your keys."],
  ["what I ordered", "Please tell me what you ordered."],
  ["my name", "What is your name?"],
  ["for the address", "What is the address?"],
  ["lunch", "Lunch?"],
])("asks %j as a person would", (words, question) => {
  expect(directQuestion(words)).toBe(question);
});
