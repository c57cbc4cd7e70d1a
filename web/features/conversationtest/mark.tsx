import { chakra } from '@chakra-ui/react'
import { Check, Minus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Result of a test: `skipped` if it could not start; undefined if unknown. */
export type Verdict = 'passed' | 'failed' | 'skipped' | undefined

interface MarkProps {
  readonly verdict: Verdict
  /** Round, in front of a name. */
  readonly isRound?: boolean
}

const LOOK = {
  passed: { icon: Check, bg: 'diff.added.muted', color: 'diff.added.fg' },
  failed: { icon: X, bg: 'danger.solid', color: 'danger.contrast' },
  skipped: { icon: Minus, bg: 'transparent', color: 'fg.muted' },
} as const

/** A tick, a cross, or a dash, with its word for who does not see it. */
export const Mark = ({ verdict, isRound = false }: MarkProps) => {
  const { t } = useTranslation('conversationtest')
  if (verdict === undefined) return <chakra.span color="fg.subtle">…</chakra.span>
  const { icon: Icon, bg, color } = LOOK[verdict]
  const isSoft = isRound && verdict === 'failed'
  return (
    <chakra.span
      role="img"
      aria-label={t(`verdict.${verdict}`)}
      title={t(`verdict.${verdict}`)}
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flex="none"
      w={isRound ? '26px' : '22px'}
      h={isRound ? '26px' : '22px'}
      borderRadius={isRound ? 'full' : 'sm'}
      bg={isSoft ? 'diff.removed.muted' : bg}
      color={isSoft ? 'diff.removed.fg' : color}
      {...(verdict === 'skipped'
        ? { borderWidth: '1px', borderStyle: 'dashed', borderColor: 'border.emphasized' }
        : {})}
    >
      <Icon size={14} strokeWidth={2.5} aria-hidden="true" />
    </chakra.span>
  )
}
