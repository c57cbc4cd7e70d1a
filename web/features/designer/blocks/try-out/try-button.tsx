import { Button } from '@chakra-ui/react'
import { Play } from 'lucide-react'

interface Props {
  readonly label: string
  readonly isRunning: boolean
  readonly disabled: boolean
  onTry(): void
}

export const TryButton = ({ label, isRunning, disabled, onTry }: Props) => (
  <Button size="sm" variant="outline" alignSelf="start" loading={isRunning} disabled={disabled} onClick={onTry}>
    <Play size={14} aria-hidden />
    {label}
  </Button>
)
