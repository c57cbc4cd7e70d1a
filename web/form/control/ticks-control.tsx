import type { Choice, ControlProps } from './control-props.ts'
import './control.css'

interface TicksProps extends ControlProps<readonly string[]> {
  readonly choices: readonly Choice[]
}

/** Any of a few values, each with a checkbox; kept in the order of the choices, other values last. */
export const TicksControl = ({ value, choices, onChange, ...props }: TicksProps) => {
  const others = value.filter(each => !choices.some(choice => choice.value === each))
  const toggle = (toggled: string) => {
    const wanted = value.includes(toggled) ? value.filter(each => each !== toggled) : [...value, toggled]
    const offered = choices.map(choice => choice.value).filter(each => wanted.includes(each))
    onChange([...offered, ...others])
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's label stands before it, as with every other control
    <div
      className="pl-ticks"
      role="group"
      id={props.id}
      aria-labelledby={`${props.id}-label`}
      aria-describedby={props.describedBy}
    >
      {choices.map(choice => (
        <label key={choice.value}>
          <input
            type="checkbox"
            checked={value.includes(choice.value)}
            disabled={props.disabled === true || props.readOnly === true}
            onChange={() => toggle(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
