-- CreateIndex
CREATE INDEX "GroupAttribute_name_idx" ON "GroupAttribute"("name");

-- A function in SQL is parsed and planned for each row that it gives a value to; one in PL/pgSQL once for each connection.
CREATE OR REPLACE FUNCTION "eventPosition"() RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN "pg_current_xact_id"()::text::bigint + (SELECT "shift" FROM "EventPosition");
END $$;
