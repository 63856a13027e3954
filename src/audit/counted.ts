/** "1 record", "2 records": for sentences of the audits, which know nothing of the reports' formats. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
