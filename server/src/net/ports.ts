/** Ports on which nobody serves files over HTTP. */

/**
 * Ports where something other than a web server listens, for the most part those that browsers refuse too. Any other
 * port is fine: files live on :8080 and :9000. These are not, since a mail server or a cache takes the lines of an HTTP
 * request for commands, and one could make this server talk to somebody else's. Allowed private networks are the
 * operator's own: there any port goes.
 */
export const NOT_WEB_PORTS = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
  139 143 161 179 389 427 445 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1433 1521
  1719 1720 1723 2049 2375 3306 3389 3659 4045 4190 5060 5061 5432 5900 6000 6379 6566 6665 6666 6667 6668 6669 6679 6697
  10080 11211 27017`
    .split(/\s+/)
    .map(Number),
)
