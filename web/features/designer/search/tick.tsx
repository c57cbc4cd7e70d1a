interface TickProps {
  readonly label: string
  /** Some of several are. */
  readonly isPartly?: boolean
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

/** A tick of a list with thousands of rows: the browser's own, in the accent colour. */
export const Tick = ({ label, isPartly = false, checked, onChange }: TickProps) => (
  <input
    type="checkbox"
    className="pl-tick"
    aria-label={label}
    checked={checked}
    ref={box => {
      if (box !== null) box.indeterminate = isPartly
    }}
    onChange={event => onChange(event.target.checked)}
  />
)
