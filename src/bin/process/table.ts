/** Formats rows as a table with aligned columns. The first row is the header. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]! + 3)).join('')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
