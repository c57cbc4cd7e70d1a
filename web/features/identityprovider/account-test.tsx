import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { Braces, ChevronDown, ChevronUp, CircleAlert, CircleCheck, CircleMinus, UserCheck } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { TextLink } from '#web/page/text-link.ts'

type Claims = AnswerOf<'POST /identityprovider/{id}/testclaims'>

type AccountTest =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'done'; readonly claims: Claims }

/** Beginning of the fragment with which the callback leads back to the page. */
const ANSWER = '#test='

/** Takes the provider's answer from the address: its code is good once. */
const takeAnswer = (): string | undefined => {
  const { hash, pathname, search } = location
  if (!hash.startsWith(ANSWER)) return undefined
  history.replaceState(history.state, '', pathname + search)
  return decodeURIComponent(hash.slice(ANSWER.length))
}

/** A sign-in of the caller at the provider that ends with its claims; begins by leaving the page. */
export const useAccountTest = (id: string): { test: AccountTest | undefined; button: ReactNode } => {
  const { t } = useTranslation(['entity/identityprovider', 'shell'])
  const { can } = useSession()
  const [test, setTest] = useState<AccountTest>()
  const [isLeaving, setLeaving] = useState(false)
  const fail = (failure: unknown) => setTest({ state: 'failed', reason: failureOf(failure, t('shell:error.noanswer')) })
  const read = useEffectEvent((query: string) => {
    setTest({ state: 'reading' })
    http
      .post('/identityprovider/{id}/testclaims', { params: { id }, body: { query } })
      .then(claims => setTest({ state: 'done', claims }), fail)
  })
  useEffect(() => {
    const answer = takeAnswer()
    if (answer !== undefined) read(answer)
  }, [])
  const begin = async () => {
    setLeaving(true)
    try {
      const { url } = await http.post('/identityprovider/{id}/testaccount', { params: { id } })
      location.assign(url)
    } catch (failure) {
      setLeaving(false)
      fail(failure)
    }
  }
  const button = can('testidentityprovider') ? (
    <Button variant="outline" loading={isLeaving} title={t('action.test.account.hint')} onClick={() => void begin()}>
      <UserCheck size={15} aria-hidden="true" />
      {t('action.test.account.do')}
    </Button>
  ) : null
  return { test, button }
}

const TONES = {
  positive: CircleCheck,
  warning: CircleAlert,
  danger: CircleAlert,
  neutral: CircleMinus,
} as const

interface FindingProps {
  readonly tone: keyof typeof TONES
  readonly title: string
  readonly children: ReactNode
}

const Finding = ({ tone, title, children }: FindingProps) => {
  const Icon = TONES[tone]
  const isPlain = tone === 'neutral'
  return (
    <HStack as="li" align="start" gap="2.5" py="2.5" borderBottomWidth="1px" _last={{ borderBottomWidth: 0 }}>
      <Box
        {...(isPlain ? { color: 'fg.muted' } : { colorPalette: tone, color: 'colorPalette.fg' })}
        pt="0.5"
        flex="none"
      >
        <Icon size={16} aria-hidden="true" />
      </Box>
      <Box minW="0" flex="1">
        <Text textStyle="dense" fontWeight="semibold">
          {title}
        </Text>
        <Box textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {children}
        </Box>
      </Box>
    </HStack>
  )
}

/** One value of the claim with the groups, and the user groups, levels and roles that it gives. */
const GroupLine = ({ group }: { readonly group: NonNullable<Claims['groups']>[number] }) => {
  const { t } = useTranslation('entity/identityprovider')
  const name = (
    <chakra.span fontFamily="mono" color="fg">
      {group.value}
    </chakra.span>
  )
  if (group.usergroups.length === 0)
    return (
      <Box py="0.5">
        {name}
        {` ${t('action.test.account.nothing')}`}
      </Box>
    )
  return group.usergroups.map(({ id, name: title, level, roles }) => (
    <Box key={id} py="0.5">
      {name}
      {' › '}
      <TextLink to={`/usergroup/${id}`}>{title}</TextLink>
      {` · ${[level, roles.length === 0 ? t('action.test.account.noroles') : roles.join(', ')].join(' · ')}`}
    </Box>
  ))
}

const GroupsFinding = ({ groups }: Pick<Claims, 'groups'>) => {
  const { t } = useTranslation('entity/identityprovider')
  const { can } = useSession()
  if (groups === null || groups.length === 0)
    return (
      <Finding tone="warning" title={t('action.test.account.groups')}>
        {t(groups === null ? 'action.test.account.noclaim' : 'action.test.account.novalue')}
      </Finding>
    )
  const idle = groups.filter(({ usergroups }) => usergroups.length === 0).length
  const given = groups.length - idle
  return (
    <Finding
      tone={given === 0 ? 'warning' : 'positive'}
      title={t('action.test.account.groupcount', { given, count: groups.length })}
    >
      {groups.map(group => (
        <GroupLine key={group.value} group={group} />
      ))}
      {idle > 0 && can('readusergroup') ? (
        <TextLink to="/usergroup/search" fontWeight="semibold">
          {t('action.test.account.identify')}
        </TextLink>
      ) : null}
    </Finding>
  )
}

const nameOf = ({ person: { firstname, lastname } }: Claims): string => [firstname, lastname].filter(Boolean).join(' ')

const Findings = ({ claims }: { readonly claims: Claims }) => {
  const { t } = useTranslation('entity/identityprovider')
  const { email, language, secondfactor, username } = claims.person
  const facts = [nameOf(claims), email ?? t('action.test.account.noemail'), ...(language === null ? [] : [language])]
  return (
    <Box as="ul" listStyleType="none">
      <Finding tone="positive" title={t('action.test.account.signed')}>
        {username}
      </Finding>
      <Finding
        tone={email === null || nameOf(claims) === '' ? 'warning' : 'positive'}
        title={t('action.test.account.name')}
      >
        {facts.filter(Boolean).join(' · ')}
      </Finding>
      <GroupsFinding groups={claims.groups} />
      <Finding tone={secondfactor ? 'positive' : 'neutral'} title={t('action.test.account.factor')}>
        {t(secondfactor ? 'action.test.account.factoryes' : 'action.test.account.factorno')}
      </Finding>
    </Box>
  )
}

/** The account that a sign-in with these claims would open. */
const Result = ({ claims }: { readonly claims: Claims }) => {
  const { t } = useTranslation('entity/identityprovider')
  const { refusal, account, username, level, usergroups, lost, person } = claims
  const name = username ?? person.username
  return (
    <Box borderTopWidth="1px" p="4">
      <Text as="h3" textStyle="card" mb="2">
        {t(refusal === null ? 'action.test.account.would' : 'action.test.account.outside')}
      </Text>
      {refusal === null ? (
        <HStack align="start" gap="3">
          <PersonAvatar person={{ ...person, id: name, username: name }} size={32} />
          <Box minW="0" textStyle="dense" overflowWrap="anywhere">
            <Text fontWeight="semibold">{t(`action.test.account.${account}`, { name })}</Text>
            <Text color="fg.muted">{[level, ...usergroups].filter(Boolean).join(' · ')}</Text>
          </Box>
        </HStack>
      ) : (
        <Text textStyle="dense" overflowWrap="anywhere">
          {refusal.detail}
        </Text>
      )}
      {lost.length === 0 ? null : (
        <Text textStyle="dense" color="fg.muted" mt="2">
          {t('action.test.account.lost', { groups: lost.join(', ') })}
        </Text>
      )}
    </Box>
  )
}

/** All claims, with the part of a sign-in that each is read for. */
const ClaimList = ({ claims }: Pick<Claims, 'claims'>) => {
  const { t } = useTranslation('entity/identityprovider')
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <Box borderTopWidth="1px" p="4">
      <Button variant="ghost" size="sm" mx="-2" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Braces size={14} aria-hidden="true" />
        {t('action.test.account.came', { count: claims.length })}
        <Chevron size={14} aria-hidden="true" />
      </Button>
      {isOpen ? (
        <chakra.dl mt="2" textStyle="secondary">
          {claims.map(({ name, value, use }) => (
            <Box key={name} py="1.5" borderTopWidth="1px">
              <HStack as="dt" justify="space-between" gap="2" align="baseline">
                <chakra.span fontFamily="mono" fontWeight="semibold" overflowWrap="anywhere" minW="0">
                  {name}
                </chakra.span>
                <chakra.span color="fg.muted" flex="none">
                  {t(`action.test.account.use.${use ?? 'none'}`)}
                </chakra.span>
              </HStack>
              <chakra.dd fontFamily="mono" color="fg.muted" overflowWrap="anywhere">
                {value}
              </chakra.dd>
            </Box>
          ))}
        </chakra.dl>
      ) : null}
    </Box>
  )
}

interface PanelProps {
  readonly test: AccountTest
  readonly again: ReactNode
  /** Below the form, where there is no room beside it. */
  readonly isUnder: boolean
}

/** Result of a test with the caller's own account. */
export const AccountTestPanel = ({ test, again, isUnder }: PanelProps) => {
  const { t } = useTranslation('entity/identityprovider')
  return (
    <chakra.aside
      aria-label={t('action.test.account.title')}
      bg="bg.surface"
      {...(isUnder
        ? { mb: '5', maxW: '960px', borderWidth: '1px', borderRadius: 'lg' }
        : { w: '340px', flex: 'none', overflow: 'auto', borderInlineStartWidth: '1px' })}
    >
      <Stack gap="1" p="4" role={test.state === 'failed' ? 'alert' : 'status'}>
        <Text as="h2" textStyle="card">
          {t('action.test.account.title')}
        </Text>
        {test.state === 'reading' ? (
          <Text textStyle="dense" color="fg.muted">
            {t('action.test.account.reading')}
          </Text>
        ) : null}
        {test.state === 'failed' ? (
          <Box as="ul" listStyleType="none">
            <Finding tone="danger" title={t('action.test.account.failed')}>
              {test.reason}
            </Finding>
          </Box>
        ) : null}
        {test.state === 'done' ? <Findings claims={test.claims} /> : null}
        {test.state === 'reading' || again === null ? null : <Box mt="2">{again}</Box>}
      </Stack>
      {test.state === 'done' ? (
        <>
          <Result claims={test.claims} />
          <ClaimList claims={test.claims.claims} />
        </>
      ) : null}
    </chakra.aside>
  )
}
