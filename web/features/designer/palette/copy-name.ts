interface Named {
  readonly name: string
}

/** `Name (2)`, or with the first number that nothing beside it has. */
export const copyName = (name: string, beside: readonly Named[]): string => {
  const taken = new Set(beside.map(other => other.name.trim().toLowerCase()))
  for (let number = 2; ; number += 1) {
    const proposed = `${name.slice(0, 190)} (${number})`
    if (!taken.has(proposed.toLowerCase())) return proposed
  }
}
