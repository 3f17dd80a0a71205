-- A function is called for each row and reads "EventPosition" each time; an expression with the shift in it costs nothing to speak
-- of. Whoever changes the shift changes the expression with it (event-positions.ts).
DO $$
DECLARE
    "present" BIGINT := (SELECT "shift" FROM "EventPosition");
BEGIN
    EXECUTE format('ALTER TABLE "LoginEvent" ALTER COLUMN "position" SET DEFAULT "pg_current_xact_id"()::text::bigint + %s', "present");
    EXECUTE format('ALTER TABLE "AdminEvent" ALTER COLUMN "position" SET DEFAULT "pg_current_xact_id"()::text::bigint + %s', "present");
END $$;
DROP FUNCTION "eventPosition"();
