import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { type Outcome, runQuery, testAddress } from '#web/features/conversationtest/index.ts'

const RouterLink = chakra(Link)

/** The dialog that a failure belongs to: of its block, or where none ran that of the beginning. */
const failedIn = ({ at, path }: Outcome): string | undefined => at?.dialog ?? path[0]?.dialog

/** That tests fail at a dialog with what is drawn, leading to them. */
export const FailingTests = ({ bot, dialog }: { readonly bot: string; readonly dialog: string }) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const run = useQuery({ ...runQuery(bot, {}), enabled: can('readconversationtest') })
  const failed = run.data?.outcomes.filter(outcome => !outcome.passed && failedIn(outcome) === dialog) ?? []
  const [first] = failed
  if (first === undefined) return null
  const text = t('mark.failed', { count: failed.length })
  return (
    <RouterLink to={testAddress(bot, first.id)} position="relative" borderRadius="full" title={text} aria-label={text}>
      <Chip tone="danger">
        <FlaskConical size={11} aria-hidden="true" />
        <chakra.span hideBelow="md">{text}</chakra.span>
        <chakra.span hideFrom="md">{failed.length}</chakra.span>
      </Chip>
    </RouterLink>
  )
}
