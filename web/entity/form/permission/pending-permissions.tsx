import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { Minus, Plus, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MENU_ACTIONS } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, permissionsOf } from '#schemas/entity.ts'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import { type PermissionControl, useMenuActionLabel } from './permission-rows.tsx'
import { changesOf, type PermissionChange, VERBS } from './permission-state.ts'

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

/** Returns the text of a permission. */
export const usePermissionText = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const menu = useMenuActionLabel()
  return ({ kind, name }: Omit<PermissionChange, 'isGiven'>): string => {
    if (kind === 'service') return `${t('role.everything')}: ${label.plural(name)}`
    if (MENU_ACTIONS.includes(name)) return `${t('role.menu')}: ${menu(name)}`
    const entity = DECLARED.find(one => permissionsOf(one).includes(name))
    if (entity === undefined) return name
    const action = name.slice(0, -entity.name.length)
    const isVerb = (VERBS as readonly string[]).includes(action)
    return `${isVerb ? t(`role.${action}`) : label.action(entity.name, action)}: ${label.plural(entity.name)}`
  }
}

/** Unsaved permission changes, each with an undo. */
export const PendingPermissions = ({ control }: { readonly control: PermissionControl }) => {
  const { t } = useTranslation('shell')
  const text = usePermissionText()
  const changes = changesOf(control.saved, control.present)
  if (changes.length === 0) return null
  const takeBack = ({ kind, name, isGiven }: PermissionChange) =>
    kind === 'service' ? control.setServices([name], !isGiven) : control.setActions([name], !isGiven)
  return (
    <Box as="section" aria-label={t('role.pending')} borderWidth="1px" borderRadius="lg" bg="bg.surface" p="3">
      <Text as="h3" textStyle="card" mb="1">
        {t('role.pending')}
      </Text>
      <chakra.ul ps="0" listStyleType="none" maxH="44" overflowY="auto">
        {changes.map(change => (
          <chakra.li key={`${change.kind} ${change.name}`}>
            <HStack gap="2" textStyle="dense" minH="8">
              <chakra.span
                display="inline-grid"
                placeItems="center"
                boxSize="18px"
                flex="none"
                borderRadius="sm"
                color="fg.inverted"
                bg={change.isGiven ? 'positive.solid' : 'danger.solid'}
                aria-label={t(change.isGiven ? 'role.given' : 'role.taken')}
                role="img"
              >
                {change.isGiven ? <Plus size={12} aria-hidden="true" /> : <Minus size={12} aria-hidden="true" />}
              </chakra.span>
              <Text as="span" flex="1" overflowWrap="anywhere">
                {text(change)}
              </Text>
              <Button size="xs" variant="ghost" onClick={() => takeBack(change)}>
                <RotateCcw size={13} aria-hidden="true" />
                {t('undo')}
              </Button>
            </HStack>
          </chakra.li>
        ))}
      </chakra.ul>
    </Box>
  )
}

const MAX_CHIPS = 3

/** Permissions of a role in words; `service`: the values are whole entities. */
export const PermissionChips = ({ kind, names }: { kind: 'action' | 'service'; names: readonly string[] }) => {
  const text = usePermissionText()
  const label = useLabel()
  return (
    <HStack gap="1" flexWrap="wrap">
      {names.slice(0, MAX_CHIPS).map(name => (
        <Chip key={name} fontWeight="normal" maxW="220px">
          <Text as="span" truncate>
            {kind === 'service' ? label.plural(name) : text({ kind, name })}
          </Text>
        </Chip>
      ))}
      {names.length > MAX_CHIPS ? (
        <Text as="span" textStyle="secondary" color="fg.muted">
          +{names.length - MAX_CHIPS}
        </Text>
      ) : null}
    </HStack>
  )
}

/** Returns the text of a permission of a token. */
export const useScopeText = (): ((name: string) => string) => {
  const menu = useMenuActionLabel()
  const text = usePermissionText()
  return name => (MENU_ACTIONS.includes(name) ? menu(name) : text({ kind: 'action', name }))
}
