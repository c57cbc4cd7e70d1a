import { Button, chakra, HStack, Input, Link, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, permissionsOf } from '#schemas/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { countGrantedPermissions, extraPermissions, VERBS } from './permission-state.ts'

type Rights = AnswerOf<'GET /user/{id}/rights'>
type Grant = Rights['grants'][number]

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)
const GRANTED = DECLARED.filter(({ rights }) => rights === undefined)
const WITH_ACTIONS = GRANTED.filter(entity => extraPermissions(entity).length > 0).map(({ name }) => name)

const Name = ({ entity, thing }: { readonly entity: string; readonly thing: Grant['role'] }) => {
  const { t } = useTranslation('shell')
  if (thing.name === null) return <span>{t('rights.unseen')}</span>
  return (
    <Link asChild>
      <RouterLink to={`/${entity}/${thing.id}`}>{thing.name}</RouterLink>
    </Link>
  )
}

const Origins = ({ grants }: { readonly grants: readonly Grant[] }) => {
  const { t } = useTranslation('shell')
  return (
    <chakra.ul ps="0" listStyleType="none" mb="3">
      {grants.map(({ role, group, member, permissions }) => (
        <chakra.li key={`${role.id} ${group.id} ${member.id}`} py="1" textStyle="dense">
          <Name entity="role" thing={role} />{' '}
          <Text as="span" color="fg.muted">
            {t('rights.from')} <Name entity="usergroup" thing={group} />
            {group.id === member.id ? null : (
              <>
                {' '}
                {t('rights.above')} <Name entity="usergroup" thing={member} />
              </>
            )}{' '}
            · {t('rights.count', { count: countGrantedPermissions(permissions) })}
          </Text>
        </chakra.li>
      ))}
    </chakra.ul>
  )
}

const EntityRights = ({
  entity,
  grants,
}: {
  readonly entity: EntityDeclaration
  readonly grants: readonly Grant[]
}) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const held = permissionsOf(entity).flatMap(name => {
    const roles = grants.filter(({ permissions }) => permissions.includes(name)).map(({ role }) => role.name ?? '–')
    if (roles.length === 0) return []
    const action = name.slice(0, -entity.name.length)
    const isVerb = (VERBS as readonly string[]).includes(action)
    return [
      { name, text: isVerb ? t(`role.${action}`) : label.action(entity.name, action), roles: [...new Set(roles)] },
    ]
  })
  if (held.length === 0) return null
  return (
    <chakra.tr>
      <chakra.th scope="row" textAlign="start" verticalAlign="top" py="1.5" pe="4" fontWeight="medium" fontSize="sm">
        {label.plural(entity.name)}
      </chakra.th>
      <chakra.td py="1">
        <HStack gap="1" flexWrap="wrap">
          {held.map(({ name, text, roles }) => (
            <Chip key={name} fontWeight="normal">
              {text}
              <Text as="span" color="fg.muted">
                {roles.join(', ')}
              </Text>
            </Chip>
          ))}
        </HStack>
      </chakra.td>
    </chakra.tr>
  )
}

const RightsTable = ({ grants }: { readonly grants: readonly Grant[] }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const isReady = useEntityTextsReady(WITH_ACTIONS)
  const [query, setQuery] = useState('')
  if (!isReady) return null
  const words = foldName(query)
  const shown = GRANTED.filter(({ name }) => words === '' || foldName(`${name} ${label.plural(name)}`).includes(words))
  return (
    <>
      <Input
        type="search"
        maxW="260px"
        my="2"
        placeholder={t('rights.search')}
        aria-label={t('rights.search')}
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      <chakra.table w="100%" borderCollapse="collapse" aria-label={t('rights.title')}>
        <tbody>
          {shown.map(entity => (
            <EntityRights key={entity.name} entity={entity} grants={grants} />
          ))}
        </tbody>
      </chakra.table>
    </>
  )
}

/** Rights of a person or group, with the role and group that grant each. */
export const RightsSection = ({ entity, id }: { readonly entity: 'user' | 'usergroup'; readonly id: string }) => {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: [entity, 'rights', id],
    queryFn: () =>
      entity === 'user'
        ? http.get('/user/{id}/rights', { params: { id } })
        : http.get('/usergroup/{id}/rights', { params: { id } }),
  })
  if (data === undefined) return null
  const { everything, grants } = data
  const held = new Set(grants.flatMap(({ permissions }) => permissions))
  return (
    <chakra.section aria-labelledby={`rights-${id}`} maxW="960px" pt="5" pb="4" borderTopWidth="1px">
      <Text as="h2" id={`rights-${id}`} textStyle="card">
        {t('rights.title')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="2">
        {everything ? t('rights.everything') : t('rights.total', { count: countGrantedPermissions(held) })}
      </Text>
      <Origins grants={grants} />
      {held.size === 0 ? null : (
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'rights.hide' : 'rights.show')}
        </Button>
      )}
      {isOpen ? <RightsTable grants={grants} /> : null}
    </chakra.section>
  )
}
