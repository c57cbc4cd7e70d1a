import { Box, Checkbox, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { role } from '#schemas/entities/role.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { api } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { SaveBar } from '#web/entity/form/save-bar.tsx'
import { useLabel } from '#web/entity/label.ts'
import { useUnsaved } from '#web/form/unsaved.ts'
import { UnsavedPrompt } from '#web/form/unsaved-prompt.tsx'
import { notice } from '#web/notice/notice.ts'
import { FailedRead } from '#web/page/failed-read.tsx'
import { Page } from '#web/page/page.tsx'

const COMMON = ['read', 'create', 'update', 'delete'] as const
/** Menu actions of the specification and of the audit, which no entity's declaration names alone. */
const MENU = [
  'showbot',
  'showadmin',
  'showappsettings',
  'showlocalemessage',
  'showcodesample',
  'showdashboard',
  'showreport',
  'shownlu',
  'readaudit',
]

/** What has permissions of its own. */
const GRANTED = Object.values<EntityDeclaration>(ENTITIES).filter(({ rights }) => rights === undefined)

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const Check = ({
  label,
  checked,
  disabled,
  onChange,
}: {
  label: string
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}) => (
  <Checkbox.Root
    checked={checked}
    disabled={disabled}
    onCheckedChange={change => onChange(change.checked === true)}
    display="flex"
    w="fit-content"
  >
    <Checkbox.HiddenInput aria-label={label} />
    <Checkbox.Control />
  </Checkbox.Root>
)

/** /role/actionandservices/{id}: what a role may do, entity by entity. */
export const RoleMatrixPage = () => {
  const { id = '' } = useParams()
  const query = useQuery(detailQuery('role', id))
  if (query.error) return <FailedRead error={query.error} onRetry={() => void query.refetch()} />
  return query.data === undefined ? <PageSkeleton /> : <Matrix key={query.data.revision} row={query.data} />
}

const useMatrix = (row: Row) => {
  const [actions, setActions] = useState<ReadonlySet<string>>(new Set(strings(row.actions)))
  const [services, setServices] = useState<ReadonlySet<string>>(new Set(strings(row.services)))
  const turned = (set: ReadonlySet<string>, name: string, on: boolean) => {
    const next = new Set(set)
    if (on) next.add(name)
    else next.delete(name)
    return next
  }
  const differs = (set: ReadonlySet<string>, before: unknown) => {
    const known = strings(before)
    return known.length !== set.size || known.some(name => !set.has(name))
  }
  return {
    actions,
    services,
    turnAction: (name: string, on: boolean) => setActions(turned(actions, name, on)),
    turnService: (name: string, on: boolean) => setServices(turned(services, name, on)),
    changedFields: [
      ...(differs(actions, row.actions) ? ['actions'] : []),
      ...(differs(services, row.services) ? ['services'] : []),
    ],
    discard: () => {
      setActions(new Set(strings(row.actions)))
      setServices(new Set(strings(row.services)))
    },
  }
}

const Matrix = ({ row }: { row: Row }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const { refresh, failed } = useEntityCommand(role)
  const matrix = useMatrix(row)
  const [busy, setBusy] = useState(false)
  const disabled = !can('updaterole')
  useUnsaved(matrix.changedFields.length > 0)
  const save = async () => {
    setBusy(true)
    const all = { actions: [...matrix.actions].sort(), services: [...matrix.services].sort() }
    const body = Object.fromEntries(Object.entries(all).filter(([field]) => matrix.changedFields.includes(field)))
    try {
      await api.patch(`/role/${row.id}`, body, row.revision)
      await refresh()
      notice.snack(t('saved'), { tone: 'positive' })
    } catch (error) {
      failed(error)
      setBusy(false)
    }
  }
  const name = String(row.name)
  const cell = { px: '3', h: '44px', textAlign: 'start', borderTopWidth: '1px', fontSize: 'sm' } as const
  return (
    <Page
      title={name}
      name={name}
      purpose={t('role.text')}
      bar={
        matrix.changedFields.length > 0 ? (
          <SaveBar
            fields={matrix.changedFields.map(field => label.field('role', field))}
            creating={false}
            busy={busy}
            onSave={() => void save()}
            onDiscard={matrix.discard}
          />
        ) : null
      }
    >
      <Box
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        overflowX="auto"
        tabIndex={0}
        focusVisibleRing="outside"
        maxW="1280px"
      >
        <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
          <chakra.thead bg="bg">
            <tr>
              {[t('role.thing'), t('role.everything'), ...COMMON.map(one => t(`role.${one}`)), t('role.more')].map(
                title => (
                  <chakra.th
                    key={title}
                    scope="col"
                    h="36px"
                    px="3"
                    textAlign="start"
                    textStyle="label"
                    color="fg.muted"
                    whiteSpace="nowrap"
                  >
                    {title}
                  </chakra.th>
                ),
              )}
            </tr>
          </chakra.thead>
          <tbody>
            {GRANTED.map(entity => {
              const whole = matrix.services.has(entity.name)
              const box = (action: string, title: string) => (
                <Check
                  label={`${title}: ${label.name(entity.name)}`}
                  checked={whole || matrix.actions.has(action + entity.name)}
                  disabled={disabled || whole}
                  onChange={on => matrix.turnAction(action + entity.name, on)}
                />
              )
              return (
                <chakra.tr key={entity.name} _hover={{ bg: 'bg.subtle' }}>
                  <chakra.th scope="row" {...cell} whiteSpace="nowrap">
                    {label.plural(entity.name)}
                  </chakra.th>
                  <chakra.td {...cell} bg={whole ? 'accent.subtle' : 'transparent'}>
                    <Check
                      label={`${t('role.everything')}: ${label.name(entity.name)}`}
                      checked={whole}
                      disabled={disabled}
                      onChange={on => matrix.turnService(entity.name, on)}
                    />
                  </chakra.td>
                  {COMMON.map(action => (
                    <chakra.td key={action} {...cell}>
                      {box(action, t(`role.${action}`))}
                    </chakra.td>
                  ))}
                  <chakra.td {...cell}>
                    <HStack gap="4" flexWrap="wrap" py="1.5">
                      {entity.actions.map(action => (
                        <HStack as="span" key={action} gap="1.5" whiteSpace="nowrap">
                          {box(action, label.action(entity.name, action))}
                          <Text as="span" textStyle="secondary" aria-hidden="true">
                            {label.action(entity.name, action)}
                          </Text>
                        </HStack>
                      ))}
                    </HStack>
                  </chakra.td>
                </chakra.tr>
              )
            })}
          </tbody>
        </chakra.table>
      </Box>
      <Text as="h2" textStyle="card" mt="6" mb="1">
        {t('role.menu')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="3">
        {t('role.menutext')}
      </Text>
      <HStack gap="5" rowGap="3" flexWrap="wrap">
        {MENU.map(action => (
          <HStack key={action} gap="2" fontSize="sm">
            <Check
              label={t(`role.menuaction.${action}`)}
              checked={matrix.actions.has(action)}
              disabled={disabled}
              onChange={on => matrix.turnAction(action, on)}
            />
            <span aria-hidden="true">{t(`role.menuaction.${action}`)}</span>
          </HStack>
        ))}
      </HStack>
      <UnsavedPrompt />
    </Page>
  )
}
