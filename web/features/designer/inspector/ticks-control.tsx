import type { Choice } from './plain-control.tsx'

interface TicksProps {
  readonly id: string
  readonly describedBy?: string | undefined
  readonly disabled: boolean
  readonly value: readonly string[]
  readonly choices: readonly Choice[]
  readonly onWrite: (value: readonly string[]) => void
}

/** Any of a few, each with a box to tick; kept in the order in which they are offered, what is not offered last. */
export const TicksControl = ({ id, describedBy, disabled, value, choices, onWrite }: TicksProps) => {
  const others = value.filter(each => !choices.some(choice => choice.value === each))
  const turn = (turned: string) => {
    const wanted = value.includes(turned) ? value.filter(each => each !== turned) : [...value, turned]
    const offered = choices.map(choice => choice.value).filter(each => wanted.includes(each))
    onWrite([...offered, ...others])
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's label stands before it, as with every other control
    <div className="pl-ticks" role="group" id={id} aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {choices.map(choice => (
        <label key={choice.value}>
          <input
            type="checkbox"
            checked={value.includes(choice.value)}
            disabled={disabled}
            onChange={() => turn(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
