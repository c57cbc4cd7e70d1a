import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, PlugZap, ScrollText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { logAddress } from '#web/entity/address.ts'
import { useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'

/** A connection test of what is saved: its button for those who may, and what came of the last one. */
export const useConnectionTest = <T,>(
  entity: string,
  ask: () => Promise<T>,
): { answer: T | undefined; button: ReactNode; test(): Promise<void> } => {
  const { t } = useTranslation('shell')
  const { t: own } = useTranslation(`entity/${entity}`)
  const { can } = useSession()
  const [answer, setAnswer] = useState<T>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      setAnswer(await ask())
    } catch (error) {
      notice.toast(isProblem(error) && error.status > 0 ? error.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const button = can(`test${entity}`) ? (
    <Button variant="outline" loading={busy} title={own('action.test.saved')} onClick={() => void test()}>
      <PlugZap size={15} aria-hidden="true" />
      {own('action.test.do')}
    </Button>
  ) : null
  return { answer, button, test }
}

interface TestAnswer {
  readonly ok: boolean
  /** ms */
  readonly time: number
  readonly checks: readonly {
    readonly part: string
    readonly ok: boolean
    readonly detail: string
    /** Names of fields that have to be filled in for it. */
    readonly missing?: readonly string[]
  }[]
}

interface Props {
  readonly entity: string
  readonly answer: TestAnswer
  /** Remedies, by the part that failed. */
  readonly remedies?: Readonly<Record<string, ReactNode>>
}

/** Findings of a connection test, one line per part, in the entity's texts. */
export const ConnectionTestResult = ({ entity, answer, remedies = {} }: Props) => {
  const { t } = useTranslation(`entity/${entity}`)
  const label = useLabel()
  return (
    <Box
      role={answer.ok ? 'status' : 'alert'}
      mb="4"
      p="3"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      maxW="960px"
    >
      <Text textStyle="dense" fontWeight="semibold" mb="1">
        {t(answer.ok ? 'action.test.ok' : 'action.test.failed')}
        <Text as="span" fontWeight="normal" color="fg.muted">{` · ${answer.time} ms`}</Text>
      </Text>
      {answer.checks.map(({ part, ok, detail, missing = [] }) => (
        <HStack key={part} align="start" gap="2" py="0.5" colorPalette={ok ? 'positive' : 'danger'}>
          <Box color="colorPalette.fg" pt="0.5" flexShrink="0">
            {ok ? <CircleCheck size={15} aria-hidden="true" /> : <CircleAlert size={15} aria-hidden="true" />}
          </Box>
          <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
            <Text as="span" color="fg">{`${t(`action.test.part.${part}`)}: `}</Text>
            {detail === '' ? t('action.test.works') : detail}
            {missing.length === 0 ? '' : ` (${missing.map(name => label.field(entity, name)).join(', ')})`}
          </Text>
          {ok ? null : remedies[part]}
        </HStack>
      ))}
    </Box>
  )
}

interface LogLinkProps {
  readonly row: { readonly id: string; readonly bot?: unknown; readonly type?: unknown }
}

/** To the log of a bot, narrowed to one of its channels. */
export const LogLink = ({ row: { id, bot, type } }: LogLinkProps) => {
  const { t } = useTranslation('operation')
  const { can } = useSession()
  if (!can('readbot')) return null
  return (
    <Button asChild variant="outline">
      <Link to={logAddress(String(bot), `${String(type)}:${id}`)}>
        <ScrollText size={15} aria-hidden="true" />
        {t('log.title')}
      </Link>
    </Button>
  )
}
