import { Button } from '@chakra-ui/react'
import { ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { logAddress } from '#web/entity/address.ts'

interface LogLinkProps {
  readonly row: { readonly id: string; readonly bot?: unknown; readonly type?: unknown }
}

/** To the log of a bot, narrowed to one of its channels. */
export const LogLink = ({ row: { id, bot, type } }: LogLinkProps) => {
  const { t } = useTranslation('operation')
  const { can } = useSession()
  if (!can('readbot')) return null
  return (
    <Button asChild variant="outline">
      <Link to={logAddress(String(bot), `${String(type)}:${id}`)}>
        <ScrollText size={15} aria-hidden="true" />
        {t('log.title')}
      </Link>
    </Button>
  )
}
