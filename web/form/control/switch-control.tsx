import { attributesOf, type ControlProps } from './control-props.ts'
import './control.css'

/** On or off; written at once. */
export const SwitchControl = ({ value, onChange, ...props }: ControlProps<boolean>) => (
  <button
    {...attributesOf(props)}
    type="button"
    role="switch"
    className="pl-switch"
    aria-checked={value}
    disabled={props.disabled === true || props.readOnly === true}
    aria-labelledby={`${props.id}-label`}
    onClick={() => onChange(!value)}
  />
)
