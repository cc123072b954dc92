/** Effects that wait for the end of a transaction. */
type Effect = (committed: boolean) => void

export function createEffects() {
  let effects: Effect[] = []
  return {
    add: (effect: Effect): void => void effects.push(effect),
    isEmpty: (): boolean => effects.length === 0,
    end(committed: boolean): void {
      const told = effects
      effects = []
      for (const effect of told) run(effect, committed)
    },
  }
}

function run(effect: Effect, committed: boolean): void {
  try {
    effect(committed)
  } catch (error) {
    // The transaction has ended either way, and the other effects must still be told.
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
