import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, PlugZap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { oauth } from '#schemas/entities/oauth.ts'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { useSession } from '#web/api/session.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { notice } from '#web/notice/notice.ts'

type TestAnswer = AnswerOf<'POST /oauth/{id}/test'>

const NONE: ReadonlySet<string> = new Set()

/** What came of a test: how long the token lasts, or why there is none. */
const Receipt = ({ answer }: { readonly answer: TestAnswer }) => {
  const { t } = useTranslation('entity/oauth')
  const { ok, expires_in: lasts = null, token_type: type = null, scope = null, failure, time } = answer
  const told = ok
    ? [
        lasts === null ? t('action.test.forever') : t('action.test.lasts', { count: lasts }),
        ...(type === null ? [] : [t('action.test.type', { value: type })]),
        ...(scope === null ? [] : [t('action.test.scope', { value: scope })]),
      ]
    : [failure?.detail ?? '']
  return (
    <HStack
      role={ok ? 'status' : 'alert'}
      align="start"
      gap="3"
      mb="4"
      p="3"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      maxW="960px"
      colorPalette={ok ? 'positive' : 'danger'}
    >
      <Box color="colorPalette.fg" pt="0.5">
        {ok ? <CircleCheck size={17} aria-hidden="true" /> : <CircleAlert size={17} aria-hidden="true" />}
      </Box>
      <Box minW="0">
        <Text textStyle="dense" fontWeight="semibold">
          {t(ok ? 'action.test.ok' : 'action.test.failed')}
        </Text>
        <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
          {[...told, `${time} ms`].join(' · ')}
        </Text>
      </Box>
    </HStack>
  )
}

/** An OAuth configuration: its form, and a button that asks for a token with what is saved. */
export const OAuthPage = () => {
  const { id = '' } = useParams()
  const { t } = useTranslation('shell')
  const { t: own } = useTranslation('entity/oauth')
  const { can } = useSession()
  const [answer, setAnswer] = useState<TestAnswer>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      setAnswer(await http.post('/oauth/{id}/test', { params: { id } }))
    } catch (error) {
      notice.toast(isProblem(error) && error.status > 0 ? error.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <EntityDetail
      entity={oauth}
      id={id}
      listAt="/oauth/search"
      hidden={NONE}
      above={() => (answer === undefined ? null : <Receipt answer={answer} />)}
      actions={() =>
        can('testoauth') ? (
          <Button variant="outline" loading={busy} title={own('action.test.saved')} onClick={() => void test()}>
            <PlugZap size={15} aria-hidden="true" />
            {own('action.test.do')}
          </Button>
        ) : null
      }
    />
  )
}
