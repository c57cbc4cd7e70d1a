import { HStack, Text } from '@chakra-ui/react'
import { Chip } from '#web/components/chip.tsx'
import { usePermissionText } from '#web/entity/form/permission/pending-permissions.tsx'
import { useLabel } from '#web/entity/label.ts'

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
            {kind === 'service' ? label.plural(name) : text({ kind, name, isGiven: true })}
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
