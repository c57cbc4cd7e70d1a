interface SwitchProps {
  readonly id: string
  readonly checked: boolean
  readonly disabled: boolean
  readonly onWrite: (value: boolean) => void
}

/** On or off, at once. */
export const SwitchControl = ({ id, checked, disabled, onWrite }: SwitchProps) => (
  <button
    type="button"
    id={id}
    role="switch"
    className="pl-switch"
    aria-checked={checked}
    disabled={disabled}
    aria-labelledby={`${id}-label`}
    onClick={() => onWrite(!checked)}
  />
)
