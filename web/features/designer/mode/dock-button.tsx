import { Hint } from '#web/components/hint.tsx'

interface DockStepProps {
  readonly label: string
  readonly keys: string
  readonly disabled?: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

/** A button of a dock along a line of time: one step, or play. */
export const DockButton = ({ label, keys, disabled = false, onClick, children }: DockStepProps) => (
  <Hint text={label} keys={keys} side="top">
    <button
      type="button"
      className="pt-step"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      {children}
    </button>
  </Hint>
)
