import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Info, ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { channel } from '#schemas/entities/channel.ts'
import { http } from '#web/api/http.ts'
import { useConnectionTest } from '#web/entity/action/use-connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useLabel } from '#web/entity/label.ts'

type TestAnswer = AnswerOf<'POST /channel/{id}/test'>

const NONE: ReadonlySet<string> = new Set()

/** What is to be entered at the provider of a type. */
const Setup = ({ type }: { readonly type: string }) => {
  const { t } = useTranslation('entity/channel')
  return (
    <HStack align="start" gap="2.5" mb="5" p="3" borderWidth="1px" borderRadius="lg" bg="bg.surface" maxW="960px">
      <Box color="fg.muted" pt="0.5" flexShrink="0">
        <Info size={15} aria-hidden="true" />
      </Box>
      <Text textStyle="dense" color="fg.muted">
        <Text as="span" color="fg" fontWeight="semibold">{`${t('setup.title')}. `}</Text>
        {t(`setup.${type}`)}
      </Text>
    </HStack>
  )
}

/** What came of a connection test, a line for each part. */
const Findings = ({ answer }: { readonly answer: TestAnswer }) => {
  const { t } = useTranslation('entity/channel')
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
      {answer.checks.map(({ part, ok, detail, missing }) => (
        <HStack key={part} align="start" gap="2" py="0.5" colorPalette={ok ? 'positive' : 'danger'}>
          <Box color="colorPalette.fg" pt="0.5" flexShrink="0">
            {ok ? <CircleCheck size={15} aria-hidden="true" /> : <CircleAlert size={15} aria-hidden="true" />}
          </Box>
          <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
            <Text as="span" color="fg">{`${t(`action.test.part.${part}`)}: `}</Text>
            {detail === '' ? t('action.test.works') : detail}
            {missing.length === 0 ? '' : ` (${missing.map(name => label.field('channel', name)).join(', ')})`}
          </Text>
        </HStack>
      ))}
    </Box>
  )
}

/** A channel: what its provider is told, its form, and a button that tests what is saved. */
export const ChannelPage = () => {
  const { id = '' } = useParams()
  const { t } = useTranslation('entity/channel')
  const { answer, button } = useConnectionTest('channel', () => http.post('/channel/{id}/test', { params: { id } }))
  return (
    <EntityDetail
      entity={channel}
      id={id}
      listAt="/channel/search"
      hidden={NONE}
      above={row => (
        <Stack gap="0">
          <Setup type={String(row.type)} />
          {answer === undefined ? null : <Findings answer={answer} />}
        </Stack>
      )}
      actions={row => (
        <>
          <Button asChild variant="outline">
            <Link to={`/bot/settings/botlogs/${String(row.bot)}?service=${String(row.type)}:${row.id}`}>
              <ScrollText size={15} aria-hidden="true" />
              {t('log')}
            </Link>
          </Button>
          {button}
        </>
      )}
    />
  )
}
