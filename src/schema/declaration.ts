/** A declared type. */
export interface Declaration {
  readonly name: string
}

/** The declarations among the exports of `modules`. */
export function declarationsIn(modules: readonly object[]): readonly Declaration[] {
  return modules.flatMap((module) => Object.values(module).filter((value) => typeof value === 'object'))
}
