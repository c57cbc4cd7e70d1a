import { Button } from '@chakra-ui/react'
import type { MenuAction } from '#web/components/action-menu.tsx'

interface FirstActionProps {
  readonly action: MenuAction | undefined
  /** Why it cannot be carried out now. */
  readonly blocked: string | undefined
}

/** The declared action with its own button. */
export const PrimaryActionButton = ({ action, blocked }: FirstActionProps) =>
  action === undefined ? null : (
    <Button onClick={action.run} disabled={blocked !== undefined} title={blocked}>
      {action.icon === undefined ? null : <action.icon size={15} aria-hidden="true" />}
      {action.label}
    </Button>
  )
