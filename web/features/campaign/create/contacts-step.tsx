import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { FileSpreadsheet, FileUp, UserPlus, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MappedVariable } from '#domain/campaign/mapping.ts'
import { useSession } from '#web/api/session.ts'
import { countText } from '../report/delivery.ts'
import { VariableTable } from './variable-table.tsx'

interface Props {
  readonly campaign: string
  readonly count: number | undefined
  readonly variables: readonly string[]
  readonly mapping: readonly MappedVariable[]
  readonly examples: ReadonlyMap<string, string>
  readonly names: Readonly<Record<string, string>>
  onMapping(mapping: readonly MappedVariable[]): void
}

/** Recipients, and the contact fields that fill the template. */
export const ContactsStep = ({ campaign, count, variables, mapping, examples, names, onMapping }: Props) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  return (
    <Stack gap="4">
      <HStack bg="bg.surface" borderWidth="1px" borderRadius="lg" p="4" gap="3" flexWrap="wrap">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          <Users size={17} aria-hidden="true" />
        </Box>
        <Box flex="1 1 180px">
          <Text textStyle="card">
            {count === undefined ? t('create.contacts') : t('create.contactcount', { count, shown: countText(count) })}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {t('create.contactstext')}
          </Text>
        </Box>
        {can('createcontact') ? (
          <>
            <Button asChild variant="outline">
              <Link to={`/campaignmanagement/contact/map/${campaign}?step=contacts`}>
                <FileUp size={15} aria-hidden="true" />
                {t('create.uploadcontacts')}
              </Link>
            </Button>
            <Button asChild variant="outline">
              <Link to={`/campaignmanagement/contact/add/${campaign}?step=contacts`}>
                <UserPlus size={15} aria-hidden="true" />
                {t('create.addcontact')}
              </Link>
            </Button>
          </>
        ) : null}
        {can('readcontact') ? (
          <Button asChild variant="outline">
            <Link to={`/campaignmanagement/contact/${campaign}?step=contacts`}>
              <FileSpreadsheet size={15} aria-hidden="true" />
              {t('create.opencontacts')}
            </Link>
          </Button>
        ) : null}
      </HStack>
      <VariableTable variables={variables} mapping={mapping} examples={examples} names={names} onChange={onMapping} />
    </Stack>
  )
}
