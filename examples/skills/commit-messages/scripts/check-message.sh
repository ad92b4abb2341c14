#!/bin/sh
# Checks a commit message against the rules that a program can check; one problem a line, exit code 1 if there is any.
set -eu

if [ "$#" -ne 1 ] || [ "$1" = '--help' ]; then
  echo 'usage: check-message.sh FILE|-'
  [ "$#" -eq 1 ] && exit 0
  exit 2
fi

awk '
  function problem(line, text) { printf "line %d: %s\n", line, text; problems += 1 }
  /^#/ { next }
  { number += 1; sub(/\r$/, "") }
  number == 1 {
    subject = $0
    if (subject ~ /^[ \t]*$/) problem(1, "the subject is empty")
    if (length(subject) > 72) problem(1, "the subject has " length(subject) " characters; 72 fit")
    if (subject ~ /\.$/) problem(1, "the subject ends with a full stop")
    bare = subject
    sub(/^[a-z]+(\([^)]*\))?!?: /, "", bare)
    first = tolower(bare)
    sub(/[^a-z].*$/, "", first)
    if (first ~ /(ed|ing)$/ && first !~ /^(embed|need|speed|feed|seed|shed|bring|string|ping)$/) problem(1, "\"" first "\" is not imperative")
    if (tolower(bare) ~ /^(wip|fix bug|fixes|update|changes|misc|stuff)[.! ]*$/) problem(1, "the subject does not say what changes")
    next
  }
  number == 2 && $0 != "" { problem(2, "an empty line separates the subject from the body") }
  length($0) > 72 && $0 !~ /(https?:\/\/|^[A-Z][A-Za-z-]+: |^    )/ { problem(number, "the line has " length($0) " characters; wrap at 72") }
  END {
    if (number == 0) problem(1, "the message is empty")
    exit (problems > 0)
  }
' "$1"
