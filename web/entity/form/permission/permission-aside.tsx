import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grantedBy } from '#domain/people/permission.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { PendingPermissions, usePermissionText } from './pending-permissions.tsx'
import type { PermissionControl } from './permission-rows.tsx'
import { permissionEffect } from './permission-state.ts'

type Holders = AnswerOf<'GET /role/{id}/people'>

const FEW = 6

const SignedCount = ({ sign, count }: { readonly sign: '+' | '−'; readonly count: number }) =>
  count === 0 ? null : (
    <Text as="span" color={sign === '+' ? 'positive.fg' : 'danger.fg'}>
      {sign}
      {count}
    </Text>
  )

/** Holders of the role; permissions each gains and loses on save. */
const AffectedPeople = ({ holders, control }: { readonly holders: Holders; readonly control: PermissionControl }) => {
  const { t } = useTranslation('shell')
  const [isLong, setLong] = useState(false)
  const [before, after] = [grantedBy(control.saved), grantedBy(control.present)]
  const effects = holders.sets.map(set => permissionEffect(new Set(set), before, after))
  const effectOf = (set: number) => effects[set] ?? { gained: 0, lost: 0 }
  const people = holders.people.map(person => ({ ...person, ...effectOf(person.set) }))
  const affected = people.filter(({ gained, lost }) => gained + lost > 0).length
  const hidden = holders.total - people.length
  const isSame = before.symmetricDifference(after).size === 0
  return (
    <Box as="section" aria-label={t('role.people')}>
      <Text as="h3" textStyle="card">
        {t('role.people')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="1">
        {t('role.holders', { count: holders.total })}
        {isSame ? null : ` ${t('role.affected', { count: affected })}`}
      </Text>
      <chakra.ul ps="0" listStyleType="none">
        {(isLong ? people : people.slice(0, FEW)).map(person => (
          <chakra.li key={person.id} display="flex" alignItems="center" gap="2" minH="8" textStyle="dense">
            <PersonAvatar person={person} size={22} />
            <Text as="span" flex="1" truncate>
              {nameOf(person)}
            </Text>
            <HStack as="span" gap="1.5" fontVariantNumeric="tabular-nums">
              <SignedCount sign="+" count={person.gained} />
              <SignedCount sign="−" count={person.lost} />
              {!isSame && person.gained + person.lost === 0 ? (
                <Text as="span" color="fg.muted">
                  {t('role.noeffect')}
                </Text>
              ) : null}
            </HStack>
          </chakra.li>
        ))}
      </chakra.ul>
      {!isLong && people.length > FEW ? (
        <Button size="xs" variant="ghost" onClick={() => setLong(true)}>
          {t('role.morepeople', { count: people.length - FEW })}
        </Button>
      ) : null}
      {hidden > 0 ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('role.hiddenpeople', { count: hidden })}
        </Text>
      ) : null}
    </Box>
  )
}

/** Permissions that nobody needed for a while: candidates to be taken away. */
const UnusedPermissions = ({ holders }: { readonly holders: Holders }) => {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  const text = usePermissionText()
  const { unused, days, total } = holders
  if (unused.length === 0 || total === 0) return null
  return (
    <Box as="section" aria-label={t('role.unused')}>
      <Text as="h3" textStyle="card">
        {t('role.unused')}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {t('role.unusedtext', { count: unused.length, days })}
      </Text>
      <Button size="xs" variant="ghost" mt="1" ms="-2" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'role.hideunused' : 'role.showunused')}
      </Button>
      {isOpen ? (
        <chakra.ul ps="4" textStyle="dense">
          {unused.map(name => (
            <li key={name}>{text({ kind: 'action', name, isGiven: false })}</li>
          ))}
        </chakra.ul>
      ) : null}
    </Box>
  )
}

interface Props {
  /** Of the role; absent while it is created. */
  readonly id: string | undefined
  readonly control: PermissionControl
}

/** Effect of saving the role, people affected, and unused permissions. */
export const PermissionAside = ({ id, control }: Props) => {
  const { data } = useQuery({
    queryKey: ['role', 'people', id],
    queryFn: () => http.get('/role/{id}/people', { params: { id: id ?? '' } }),
    enabled: id !== undefined,
  })
  return (
    <Box display="flex" flexDirection="column" gap="5" position={{ xl: 'sticky' }} top={{ xl: '4' }}>
      <PendingPermissions control={control} />
      {data === undefined ? null : <AffectedPeople holders={data} control={control} />}
      {data === undefined ? null : <UnusedPermissions holders={data} />}
    </Box>
  )
}
