import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import { momentOf } from '#web/format/time.ts'

type Chain = AnswerOf<'GET /audit/chain'>
type Finding = NonNullable<Chain['verification']>['findings'][number]

/** While a verification runs. */
const POLL_INTERVAL_MS = 1500

const chainQuery = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: () => http.get('/audit/chain'),
  refetchInterval: ({ state }) => (state.data?.running ? POLL_INTERVAL_MS : false),
})

const verifyChain = () => http.post('/audit/chain/verify')

const LOOKS = {
  holds: { Icon: ShieldCheck, color: 'success.fg' },
  broken: { Icon: ShieldAlert, color: 'danger.fg' },
  unverified: { Icon: ShieldQuestion, color: 'fg.muted' },
} as const

const stateOf = ({ verification }: Chain) => {
  if (verification === null) return 'unverified'
  return verification.amiss === 0 ? 'holds' : 'broken'
}

const Findings = ({ findings }: { findings: readonly Finding[] }) => {
  const { t } = useTranslation('shell')
  return (
    <Box as="ul" listStyleType="none" mt="2" aria-label={t('audit.chain.where')}>
      {findings.map(({ kind, stream, revision, text }) => (
        <HStack as="li" key={`${stream} ${revision} ${kind}`} gap="2" py="0.5" textStyle="dense" title={text}>
          <b>{t(`audit.chain.kind.${kind}`)}</b>
          <chakra.code textStyle="code" overflowWrap="anywhere">
            {stream}
          </chakra.code>
          {revision === null ? null : <span>{t('audit.chain.revision', { revision })}</span>}
        </HStack>
      ))}
    </Box>
  )
}

/** Whether the log behind the audit holds: since when, by whose word, and where it does not. */
export const ChainLine = () => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const chain = useQuery(chainQuery).data
  const verify = useMutation({
    mutationFn: verifyChain,
    onSuccess: data => queries.setQueryData(chainQuery.queryKey, data),
  })
  if (chain === undefined) return null
  const { seal, verification, unsealed, running } = chain
  const state = stateOf(chain)
  const { Icon, color } = LOOKS[state]
  const details = [
    verification && t('audit.chain.verified', { time: momentOf(verification.time), name: nameOf(verification.user) }),
    seal === null ? t('audit.chain.noseal') : t('audit.chain.seal', { number: seal.number, time: momentOf(seal.time) }),
    seal !== null && unsealed > 0 ? t('audit.chain.unsealed', { count: unsealed }) : null,
  ].filter(Boolean)
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" px="4" py="2.5" mb="3">
      <HStack gap="3" role={state === 'broken' ? 'alert' : 'status'}>
        <Box color={color} flex="none">
          <Icon size={18} aria-hidden="true" />
        </Box>
        <Box flex="1" minW="0">
          <Text textStyle="label">{t(`audit.chain.${state}`, { count: verification?.amiss ?? 0 })}</Text>
          <Text textStyle="dense" color="fg.muted">
            {details.join(' · ')}
          </Text>
        </Box>
        <Button
          flex="none"
          disabled={verify.isPending}
          loading={running !== null}
          loadingText={t('audit.chain.running')}
          onClick={() => verify.mutate()}
        >
          {t('audit.chain.verify')}
        </Button>
      </HStack>
      {verification && verification.findings.length > 0 ? <Findings findings={verification.findings} /> : null}
    </Box>
  )
}
