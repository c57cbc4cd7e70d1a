import { Box, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { mlchannel } from '#schemas/entities/mlchannel.ts'
import { http } from '#web/api/http.ts'
import { useConnectionTest } from '#web/entity/action/use-connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'

type TestAnswer = AnswerOf<'POST /mlchannel/{id}/test'>

const NONE: ReadonlySet<string> = new Set()

/** What came of a connection test, a line for each part. */
const Findings = ({ answer }: { readonly answer: TestAnswer }) => {
  const { t } = useTranslation('entity/mlchannel')
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
      {answer.checks.map(({ part, ok, detail }) => (
        <HStack key={part} align="start" gap="2" py="0.5" colorPalette={ok ? 'positive' : 'danger'}>
          <Box color="colorPalette.fg" pt="0.5" flexShrink="0">
            {ok ? <CircleCheck size={15} aria-hidden="true" /> : <CircleAlert size={15} aria-hidden="true" />}
          </Box>
          <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
            <Text as="span" color="fg">{`${t(`action.test.part.${part}`)}: `}</Text>
            {detail === '' ? t('action.test.works') : detail}
          </Text>
        </HStack>
      ))}
    </Box>
  )
}

/** An ML channel: its form, and a button that calls the system with what is saved. */
export const MlChannelPage = () => {
  const { id = '' } = useParams()
  const { answer, button } = useConnectionTest('mlchannel', () => http.post('/mlchannel/{id}/test', { params: { id } }))
  return (
    <EntityDetail
      entity={mlchannel}
      id={id}
      listAt="/mlchannel/search"
      hidden={NONE}
      above={() => (answer === undefined ? null : <Findings answer={answer} />)}
      actions={() => button}
    />
  )
}
